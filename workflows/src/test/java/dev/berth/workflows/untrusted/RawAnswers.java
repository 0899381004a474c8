package dev.berth.workflows.untrusted;

import com.google.protobuf.ByteString;
import io.temporal.activity.Activity;
import io.temporal.activity.DynamicActivity;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.EncodedValues;
import io.temporal.common.converter.RawValue;
import java.util.function.Function;

/**
 * A worker that answers every activity with a text of its own choice, as if it were JSON.
 *
 * @param answers the text by the activity's type
 */
public record RawAnswers(Function<String, String> answers) implements DynamicActivity {
    @Override
    public Object execute(EncodedValues arguments) {
        return raw(answers.apply(Activity.getExecutionContext().getInfo().getActivityType()));
    }

    /** A payload that says of itself that it is JSON. */
    public static RawValue raw(String json) {
        return new RawValue(Payload.newBuilder()
                .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                .setData(ByteString.copyFromUtf8(json))
                .build());
    }
}
