package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a run printed, as far as it was kept.
 *
 * @param streams each stream apart, since runners do not mix their summary over two
 */
public record RunOutput(List<Stream> streams) {
    /**
     * One stream.
     *
     * @param head whole lines from its beginning
     * @param tail whole lines from its end; null when nothing is missing in between
     */
    public record Stream(String head, @Nullable String tail) {}

    public RunOutput {
        streams = List.copyOf(streams);
    }

    /**
     * The sum of all that TAP and the runners' summaries say, where TAP and the counts of {@code
     * node:test} on both streams are two reporters of one run; null when nothing recognisable was
     * printed.
     *
     * @param step is taken at every line; it may throw, which ends the reading
     */
    public @Nullable Tally tally(Runnable step) {
        Tally sum = null;
        Tally points = null;
        for (Stream stream : streams) {
            var tap = new TapReader();
            var node = new NodeTestReader();
            Tally tally = read(stream, step, tap, node);
            if (tally != null) sum = sum == null ? tally : sum.plus(tally);
            Tally own = withoutTwice(tap, node.end());
            if (own != null) points = points == null ? own : points.or(own);
        }
        return points == null || sum == null ? (sum == null ? points : sum) : sum.plus(points);
    }

    private static @Nullable Tally read(
            Stream stream, Runnable step, TapReader tap, NodeTestReader node) {
        List<SummaryReader> runners =
                List.of(
                        new VitestReader(),
                        new JestReader(),
                        new MochaReader(),
                        new BunReader(),
                        new PytestReader(),
                        new UnittestReader(),
                        new SurefireReader(),
                        new GradleReader(),
                        new GoTestReader(),
                        new DotnetReader(),
                        new OneLineReader());
        List<SummaryReader> readers = new ArrayList<>(runners);
        readers.add(tap);
        readers.add(node);
        var dispatch = new Dispatch(readers);
        Lines.each(stream.head(), step, dispatch::line);
        if (stream.tail() != null) {
            readers.forEach(SummaryReader::gap);
            Lines.each(stream.tail(), step, dispatch::line);
        }
        Tally sum = null;
        for (SummaryReader runner : runners) {
            Tally tally = runner.end();
            if (tally != null) sum = sum == null ? tally : sum.plus(tally);
        }
        return sum;
    }

    /** Shows each line to the readers that ask for lines like it. */
    private static final class Dispatch {
        private static final int ASCII = 128;
        private final List<List<SummaryReader>> byStart = new ArrayList<>();
        private final List<SummaryReader> others;

        Dispatch(List<SummaryReader> readers) {
            for (int c = 0; c < ASCII; c++) {
                String start = String.valueOf((char) c);
                byStart.add(asking(readers, starts -> starts.contains(start)));
            }
            others = asking(readers, starts -> starts.chars().anyMatch(c -> c >= ASCII));
        }

        private static List<SummaryReader> asking(
                List<SummaryReader> readers, Predicate<String> wanted) {
            return readers.stream()
                    .filter(reader -> reader.starts().isEmpty() || wanted.test(reader.starts()))
                    .toList();
        }

        void line(String line) {
            int start = 0;
            while (line.charAt(start) <= ' ') start++;
            char first = line.charAt(start);
            for (SummaryReader reader : first < ASCII ? byStart.get(first) : others) {
                reader.read(line);
            }
        }
    }

    /**
     * A TAP stream of {@code node:test} (and of most others) ends with the counts of its own
     * points. They stand in for the points only where some of those are lost.
     */
    private static @Nullable Tally withoutTwice(TapReader reader, @Nullable Tally counts) {
        Tally tap = reader.end();
        if (tap == null || counts == null) return tap == null ? counts : tap;
        if (!tap.counted()) {
            return new Tally(
                    Math.max(0, counts.passed() - reader.files()),
                    counts.failed(),
                    counts.skipped(),
                    true,
                    tap.faults(),
                    tap.idle());
        }
        boolean hidden = counts.failing() && !tap.failing();
        return hidden
                ? tap.plus(new Tally(0, counts.failed(), 0, true, List.of(), List.of()))
                : tap;
    }
}
