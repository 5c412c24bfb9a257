package io.countersign.grader;

/**
 * Judges free-text criteria by a model that is not the producer. Everything that ends without a
 * verdict is a result that does not pass, never an exception.
 */
public interface Grader {
    /**
     * Grades, and waits for the end. Blocks for as long as the request's deadline allows: call it
     * on a virtual thread, outside any transaction.
     *
     * @throws InterruptedException when the calling thread is interrupted; its exchange with the
     *     provider has been closed by then, and no other grading's
     */
    Graded grade(GradingRequest request) throws InterruptedException;
}
