/** The HTTP face of the Definition-of-Done language. It stores nothing. */
@NullMarked
package io.countersign.dod.web;

import org.jspecify.annotations.NullMarked;
