import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** java.net.http.HttpClient over HTTP/1.1. */
class JdkClient {
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static void main(String[] args) {
        Call.run(args, JdkClient::make);
    }

    static int make(Call call, String url) throws Exception {
        var body = call.body().isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(call.body());
        var request = HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofMillis(Call.TIMEOUT_MS))
            .method(call.method(), body);
        if (!call.key().isEmpty()) {
            request.header("Idempotency-Key", call.key());
        }
        return CLIENT.send(request.build(), BodyHandlers.ofByteArray()).statusCode();
    }
}
