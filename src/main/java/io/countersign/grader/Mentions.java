package io.countersign.grader;

import com.google.re2j.Pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Which files the criteria speak of. They are shown even when the work did not change them: a
 * verdict on "no file under src/ ..." by someone who saw one file of it is none.
 */
final class Mentions {
    private static final Pattern BREAK =
            Pattern.compile("[\\s\"'`()<>,;\u201c\u201d\u2018\u2019]+");
    private static final Pattern FILE =
            Pattern.compile("[\\w.@+-]*[\\w@+-]\\.[A-Za-z][A-Za-z0-9]{0,9}");
    private static final Pattern PLAIN = Pattern.compile("[A-Z][A-Z_]{3,}|[A-Z][a-z]+file");

    private final List<Predicate<String>> tests = new ArrayList<>();

    /**
     * @param cwd the directory that names may be relative to; empty for the root
     */
    Mentions(List<String> criteria, String cwd) {
        for (String criterion : criteria) {
            for (String word : BREAK.split(criterion)) {
                add(trim(word), "");
                if (!cwd.isEmpty()) add(trim(word), cwd + "/");
            }
        }
    }

    boolean of(String path) {
        return tests.stream().anyMatch(test -> test.test(path));
    }

    private static String trim(String word) {
        String trimmed = word.startsWith("./") ? word.substring(2) : word;
        return trimmed.replaceFirst("[.:!?\\]}]+$", "").replaceFirst("^[\\[{]+", "");
    }

    private void add(String word, String prefix) {
        if (word.length() < 2 || word.length() > 300 || word.contains("..") || word.startsWith("/"))
            return;
        if (word.indexOf('*') >= 0) {
            glob(prefix + word);
        } else if (word.endsWith("/")) {
            tests.add(path -> path.startsWith(prefix + word));
        } else if (word.indexOf('/') > 0) {
            String whole = prefix + word;
            tests.add(path -> path.equals(whole) || path.startsWith(whole + "/"));
        } else if (FILE.matches(word)) {
            tests.add(path -> name(path).equals(word));
        } else if (PLAIN.matches(word)) {
            tests.add(path -> stem(path).equals(word.toLowerCase(Locale.ROOT)));
        }
    }

    private void glob(String glob) {
        if (glob.chars().allMatch(c -> c == '*' || c == '.' || c == '/')) return;
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            if (glob.startsWith("**/", i)) {
                regex.append("(?:.*/)?");
                i += 2;
            } else if (glob.startsWith("**", i)) {
                regex.append(".*");
                i++;
            } else {
                regex.append(c == '*' ? "[^/]*" : Pattern.quote("" + c));
            }
        }
        Pattern pattern = Pattern.compile(regex.toString());
        tests.add(pattern::matches);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The name in lower case without its extension: {@code readme} for {@code README.md}. */
    private static String stem(String path) {
        String name = name(path).toLowerCase(Locale.ROOT);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
}
