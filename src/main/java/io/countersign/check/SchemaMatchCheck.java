package io.countersign.check;

import com.networknt.schema.SpecificationVersion;

import io.countersign.check.WorkspaceFiles.Found;
import io.countersign.dod.Check;
import io.countersign.dod.Check.Dialect;
import io.countersign.kernel.Cause;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;

/** {@code schemaMatch}: a JSON file fits a JSON Schema, or a shape given by example. */
final class SchemaMatchCheck {
    /** The largest file that is compared. */
    static final int MAX_BYTES = 16 << 20;

    /** The largest schema. */
    static final int MAX_SCHEMA_BYTES = 1 << 20;

    /** A larger file is compared only until its first fault: millions would not fit in memory. */
    private static final int MAX_FOR_ALL_FAULTS = 256 << 10;

    private static final int SHOWN = 5;

    private final CheckContext context;
    private final Watch watch;

    private SchemaMatchCheck(CheckContext context, Watch watch) {
        this.context = context;
        this.watch = watch;
    }

    /**
     * @throws Watch.OutOfTime when a schema takes too long
     */
    static Evaluation evaluate(Check.SchemaMatch check, CheckContext context, Watch watch) {
        try {
            return new SchemaMatchCheck(context, watch).compare(check);
        } catch (Unusable e) {
            return Evaluation.failed(e.reason, e.cause);
        }
    }

    /** A file or a schema that cannot be compared. */
    private static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;
        private final String reason;
        private final Cause cause;

        Unusable(String reason, Cause cause) {
            super(reason);
            this.reason = reason;
            this.cause = cause;
        }
    }

    private Evaluation compare(Check.SchemaMatch check) throws Unusable {
        byte[] bytes = bytes(check.path(), MAX_BYTES);
        JsonNode document = parsed(JsonFile.read(bytes), check.path(), Cause.WORK);
        boolean inline = isInline(check.schema());
        String name = inline ? "the schema" : "the schema " + check.schema();
        Cause schemaCause = inline ? Cause.DOD : Cause.WORK;
        JsonNode schema = schema(check.schema(), inline, name);
        if (schema.isEmpty()) throw new Unusable(name + " is empty", schemaCause);
        int limit = bytes.length > MAX_FOR_ALL_FAULTS ? 1 : SHOWN;
        List<String> faults;
        try {
            faults = faults(schema, check.dialect(), document, limit);
        } catch (JsonSchemas.BadSchema e) {
            throw new Unusable(name + " " + e.getMessage(), schemaCause);
        }
        return faults.isEmpty()
                ? Evaluation.PASSED
                : Evaluation.failed(
                        check.path() + " does not fit the schema: " + String.join("; ", faults));
    }

    private static boolean isInline(String schema) {
        return schema.startsWith("{") || schema.startsWith("[");
    }

    private JsonNode schema(String schema, boolean inline, String name) throws Unusable {
        return inline
                ? parsed(JsonFile.read(schema), name, Cause.DOD)
                : parsed(JsonFile.read(bytes(schema, MAX_SCHEMA_BYTES)), name, Cause.WORK);
    }

    private List<String> faults(
            JsonNode schema, @Nullable Dialect dialect, JsonNode document, int limit)
            throws JsonSchemas.BadSchema {
        boolean shape =
                dialect == Dialect.SHAPE || (dialect == null && !SchemaKind.isJsonSchema(schema));
        return shape
                ? JsonShape.faults(schema, document, limit)
                : new JsonSchemas(watch).faults(schema, version(dialect), document, limit);
    }

    private static @Nullable SpecificationVersion version(@Nullable Dialect dialect) {
        return switch (dialect) {
            case DRAFT_2020_12 -> SpecificationVersion.DRAFT_2020_12;
            case DRAFT_07 -> SpecificationVersion.DRAFT_7;
            case SHAPE -> null;
            case null -> null;
        };
    }

    private static JsonNode parsed(JsonFile.Reading reading, String name, Cause cause)
            throws Unusable {
        JsonNode document = reading.document();
        if (document == null) throw new Unusable(name + " " + reading.fault(), cause);
        return document;
    }

    private byte[] bytes(String path, int limit) throws Unusable {
        return switch (WorkspaceFiles.find(context, path)) {
            case Found.File file -> {
                Optional<byte[]> bytes = WorkspaceFiles.bytes(file, limit);
                String fault = file.size() > limit ? " is larger than " : " cannot be read within ";
                yield bytes.orElseThrow(
                        () -> new Unusable(path + fault + (limit >> 20) + " MiB", Cause.WORK));
            }
            case Found.Directory directory ->
                    throw new Unusable("a directory, not a regular file: " + path, Cause.WORK);
            case Found.Special special ->
                    throw new Unusable("not a regular file: " + path, Cause.WORK);
            case Found.Nothing(String checked, String hint) ->
                    throw new Unusable("file not found: " + checked + hint, Cause.WORK);
            case Found.Outside(String checked, String why, Cause cause) ->
                    throw new Unusable(checked + " " + why, cause);
        };
    }
}
