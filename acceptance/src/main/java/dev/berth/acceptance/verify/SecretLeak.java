package dev.berth.acceptance.verify;

/** No log and no task override holds a user's secret. */
final class SecretLeak implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        draft.countChecked(evidence.secrets().places());
        evidence.secrets().found().forEach(draft::broken);
        return draft.as("secret-leak", "no secret stands in logs or task overrides");
    }
}
