package io.countersign.scrub;

/** JSON Web Tokens, signed or encrypted, and webhook addresses whose path is the secret. */
final class WebTokens {
    private static final String[] WEBHOOKS = {
        "hooks.slack.com/services/",
        "hooks.slack.com/workflows/",
        "hooks.slack.com/triggers/",
        "discord.com/api/webhooks/",
        "discordapp.com/api/webhooks/"
    };

    private WebTokens() {}

    static void find(String text, Spans spans) {
        int next = text.indexOf("eyJ");
        while (next >= 0) {
            int headerEnd = endOfSegment(text, next);
            int end = endOfToken(text, next, headerEnd);
            if (end > next) {
                spans.add(next, end);
            }
            // A later start in the same run has the same segments behind it.
            next = text.indexOf("eyJ", Math.max(end, headerEnd));
        }
        for (String webhook : WEBHOOKS) {
            findWebhook(text, webhook, spans);
        }
    }

    /** A token's end, or 0. */
    private static int endOfToken(String text, int start, int headerEnd) {
        if (headerEnd - start < 10 || Text.at(text, headerEnd) != '.') {
            return 0;
        }
        int end = headerEnd;
        int segments = 1;
        int longest = 0;
        while (segments < 5 && Text.at(text, end) == '.') {
            int segment = endOfSegment(text, end + 1);
            longest = Math.max(longest, segment - end - 1);
            end = segment;
            segments++;
        }
        boolean knownHeader =
                text.startsWith("hbGciOi", start + 3)
                        || text.startsWith("0eXAiOi", start + 3)
                        || text.startsWith("raWQiOi", start + 3);
        boolean payloadIsJson = text.startsWith("eyJ", headerEnd + 1);
        boolean encrypted = segments == 5 && Text.looksRandom(text, start, headerEnd);
        return longest >= 8 && (knownHeader || payloadIsJson || encrypted) ? end : 0;
    }

    private static int endOfSegment(String text, int from) {
        int i = from;
        while (Text.isWord(Text.at(text, i))) {
            i++;
        }
        return i;
    }

    private static void findWebhook(String text, String address, Spans spans) {
        int at = text.indexOf(address);
        while (at >= 0) {
            int start = at + address.length();
            int end = start;
            while (Text.isWord(Text.at(text, end)) || Text.at(text, end) == '/') {
                end++;
            }
            if (end - start >= 16) {
                spans.add(start, end);
            }
            at = text.indexOf(address, end);
        }
    }
}
