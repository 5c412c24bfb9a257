/**
 * What every module shares: problem details, ids, cursors, the caller record, canonical JSON. It
 * depends on no other module.
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package io.countersign.kernel;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
