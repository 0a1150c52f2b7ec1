import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** HttpURLConnection with a read timeout, the client of old. */
class UrlConnection {
    public static void main(String[] args) {
        Call.run(args, UrlConnection::make);
    }

    static int make(Call call, String url) throws Exception {
        var c = (HttpURLConnection) URI.create(url).toURL().openConnection();
        c.setRequestMethod(call.method());
        c.setReadTimeout(Call.TIMEOUT_MS);
        if (!call.key().isEmpty()) {
            c.setRequestProperty("Idempotency-Key", call.key());
        }
        if (!call.body().isEmpty()) {
            c.setDoOutput(true);
            c.getOutputStream().write(call.body().getBytes(StandardCharsets.UTF_8));
        }
        int status = c.getResponseCode();
        try (InputStream in = status >= 400 ? c.getErrorStream() : c.getInputStream()) {
            if (in != null) {
                in.readAllBytes(); // gives the connection back
            }
        }
        return status;
    }
}
