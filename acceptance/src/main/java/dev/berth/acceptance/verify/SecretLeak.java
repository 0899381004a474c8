package dev.berth.acceptance.verify;

/** No secret of a user stands in a log, or in what a task was started with. */
final class SecretLeak implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        draft.look(evidence.secrets().places());
        evidence.secrets().found().forEach(draft::broken);
        return draft.as("secret-leak", "no secret stands in logs or task overrides");
    }
}
