/**
 * What the clients have in common: the command line and its exit status.
 *
 * <pre>
 * java CLIENT METHOD BODY KEY WARM-URL URL
 * java CLIENT version
 * </pre>
 *
 * KEY is sent as Idempotency-Key unless it is empty. A warm-up, unless WARM-URL is empty, goes
 * through the same client first. The exit status is 1 when the call failed in the end, by an
 * error or by a status from 400 on.
 */
record Call(String method, String body, String key) {
    /** Of one attempt. A cold JVM on a busy machine needs a second for itself. */
    static final int TIMEOUT_MS = 4000;

    /** Makes one call and returns its status. */
    interface Exchange {
        int make(Call call, String url) throws Exception;
    }

    static void run(String[] args, Exchange exchange) {
        if (args.length == 1 && args[0].equals("version")) {
            System.out.println(System.getProperty("java.version"));
            return;
        }
        var call = new Call(args[0], args[1], args[2]);
        try {
            for (var url : new String[] {args[3], args[4]}) {
                if (url.isEmpty()) {
                    continue;
                }
                int status = exchange.make(call, url);
                if (status >= 400) {
                    throw new Exception("status " + status);
                }
            }
        } catch (Exception e) {
            System.err.println(e);
            System.exit(1);
        }
        System.exit(0);
    }
}
