package io.countersign.grader;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What can be told of a model from its name, so that the same one is known again under an alias, a
 * dated id or another gateway.
 *
 * @param providers whoever stands before the model's own name, lower case
 * @param words the name's parts in alphabetical order, without dates and revisions: gateways order
 *     them differently
 * @param family the name's first word, for example {@code claude}
 */
record ModelIdentity(Set<String> providers, List<String> words, String family) {
    ModelIdentity {
        providers = Set.copyOf(providers);
        words = List.copyOf(words);
    }

    /**
     * @param model {@code provider/model}, with further providers between them or none
     */
    static ModelIdentity of(String model) {
        List<String> parts = Arrays.asList(model.strip().toLowerCase(Locale.ROOT).split("/"));
        List<String> words = words(parts.getLast());
        return new ModelIdentity(
                new HashSet<>(parts.subList(0, parts.size() - 1)),
                words.stream().sorted().toList(),
                words.isEmpty() ? "" : words.getFirst());
    }

    private static List<String> words(String name) {
        String bare = name.replaceFirst(":(free|latest)$", "");
        return Arrays.stream(bare.split("[-._@]"))
                .filter(word -> !word.isEmpty() && !word.equals("latest"))
                .filter(word -> !word.matches("[0-9]{3,}"))
                .toList();
    }

    boolean sameModel(ModelIdentity other) {
        return words.equals(other.words);
    }

    boolean sharesProvider(ModelIdentity other) {
        return family.equals(other.family)
                || providers.stream().anyMatch(other.providers::contains);
    }

    ModelIdentity with(Set<String> more) {
        Set<String> all = new HashSet<>(providers);
        all.addAll(more);
        return new ModelIdentity(all, words, family);
    }
}
