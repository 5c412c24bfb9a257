package io.countersign.grader.provider;

/**
 * What a model is asked.
 *
 * @param model the model's name as the provider knows it
 * @param system the instructions
 * @param user the matter to judge
 * @param temperature pinned, unless the model refuses the parameter
 */
public record Question(String model, String system, String user, double temperature) {}
