package io.countersign.dod;

/**
 * A Definition of Done that was inferred from a dispatch.
 *
 * @param dod never vacuous: it has a check or a criterion
 * @param category what sort of work the dispatch asks for: {@code bugfix}, {@code refactor}, {@code
 *     writeFile}, {@code impl}, {@code test} or {@code unknown}
 */
public record Inferred(Dod dod, String category) {}
