package io.countersign.check;

import com.google.re2j.Pattern;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AnnotationKeyword;
import com.networknt.schema.regex.RegularExpression;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validates against JSON Schema. Schemas may be hostile: patterns run in linear time, nothing is
 * fetched, recursion is bounded, and every keyword looks at the clock.
 */
final class JsonSchemas {
    private static final int MAX_DEPTH = 2_000;
    private static final int MAX_PATTERN = 4_096;

    /** Comparing each with each takes too long beyond this. */
    private static final int MAX_UNIQUE = 20_000;

    private static final Map<SpecificationVersion, Dialect> DIALECTS =
            Map.of(
                    SpecificationVersion.DRAFT_4, Dialects.getDraft4(),
                    SpecificationVersion.DRAFT_6, Dialects.getDraft6(),
                    SpecificationVersion.DRAFT_7, Dialects.getDraft7(),
                    SpecificationVersion.DRAFT_2019_09, Dialects.getDraft201909(),
                    SpecificationVersion.DRAFT_2020_12, Dialects.getDraft202012());

    private final Watch watch;

    JsonSchemas(Watch watch) {
        this.watch = watch;
    }

    private static final Pattern META_SCHEMAS =
            Pattern.compile(
                    "https?://json-schema\\.org/(?:draft-0[467]/schema"
                            + "|draft/(?:2019-09|2020-12)/(?:schema|meta/[a-z-]+))#?");

    /** Members that demand nothing of a document. */
    private static final Set<String> ANNOTATIONS =
            Set.of(
                    "$schema",
                    "$id",
                    "id",
                    "$comment",
                    "$defs",
                    "definitions",
                    "title",
                    "description",
                    "default",
                    "examples");

    /** The schema itself cannot be used; the message is a predicate. */
    static final class BadSchema extends Exception {
        private static final long serialVersionUID = 1L;

        BadSchema(String message) {
            super(message);
        }
    }

    /**
     * What does not fit, each with its JSON pointer; at most {@code limit} of it.
     *
     * @param wanted the dialect that the check names; null takes the schema's own, else 2020-12
     * @throws BadSchema when the schema is invalid, demands nothing, is of an unknown dialect, or
     *     refers elsewhere
     * @throws Watch.OutOfTime when it takes too long
     */
    List<String> faults(
            JsonNode schema, @Nullable SpecificationVersion wanted, JsonNode document, int limit)
            throws BadSchema {
        SpecificationVersion version = version(schema, wanted);
        if (schema.propertyStream().allMatch(member -> ANNOTATIONS.contains(member.getKey()))) {
            throw new BadSchema("demands nothing");
        }
        SchemaRegistry registry = registry(version);
        List<String> invalid = run(registry, metaSchema(registry, version), schema, 1);
        if (!invalid.isEmpty()) throw new BadSchema("is no valid schema: " + invalid.getFirst());
        if (schema.toString().contains("\"uniqueItems\"") && longest(document) > MAX_UNIQUE) {
            return List.of("an array is too long for uniqueItems (over " + MAX_UNIQUE + " items)");
        }
        return run(registry, compile(registry, schema), document, limit);
    }

    private static SpecificationVersion version(
            JsonNode schema, @Nullable SpecificationVersion wanted) throws BadSchema {
        JsonNode declared = schema.path("$schema");
        if (declared.isMissingNode()) {
            return wanted == null ? SpecificationVersion.DRAFT_2020_12 : wanted;
        }
        String id = declared.isString() ? declared.asString() : declared.toString();
        SpecificationVersion version =
                SpecificationVersion.fromDialectId(id)
                        .orElseThrow(() -> new BadSchema("has an unknown dialect: " + id));
        if (wanted != null && wanted != version) {
            throw new BadSchema("declares another dialect than the check: " + id);
        }
        return version;
    }

    private SchemaRegistry registry(SpecificationVersion version) {
        SchemaRegistryConfig config =
                SchemaRegistryConfig.builder()
                        .regularExpressionFactory(this::pattern)
                        .formatAssertionsEnabled(true)
                        .build();
        Dialect dialect =
                Dialect.builder(DIALECTS.get(version))
                        .unknownKeywordFactory((name, context) -> new AnnotationKeyword(name))
                        .build();
        return SchemaRegistry.withDialect(
                dialect,
                registry ->
                        registry.schemaCacheEnabled(false)
                                .schemaRegistryConfig(config)
                                .schemaLoader(
                                        loader ->
                                                loader.fetchRemoteResources(false)
                                                        .allow(iri -> isOwn(iri.toString()))));
    }

    /**
     * The library finds these meta-schemas on its class path. It would find any other file of the
     * class path too, if a schema were let to name one.
     */
    private static boolean isOwn(String iri) {
        return META_SCHEMAS.matcher(iri).matches();
    }

    private RegularExpression pattern(String regex) {
        if (regex.length() > MAX_PATTERN) throw new SchemaException("a pattern is too long");
        try {
            Pattern pattern = LinearPattern.compile(EcmaPatterns.toRe2(regex));
            return text -> pattern.matcher(watch.over(text)).find();
        } catch (LinearPattern.BadPattern e) {
            throw new SchemaException(
                    "the pattern " + regex + " cannot be matched: " + e.getMessage());
        }
    }

    private Schema metaSchema(SchemaRegistry registry, SpecificationVersion version)
            throws BadSchema {
        try {
            return registry.getSchema(SchemaLocation.of(version.getDialectId()));
        } catch (RuntimeException e) {
            throw broken(e);
        }
    }

    private static Schema compile(SchemaRegistry registry, JsonNode schema) throws BadSchema {
        try {
            Schema compiled = registry.getSchema(schema);
            compiled.initializeValidators();
            return compiled;
        } catch (Watch.OutOfTime e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            throw broken(e);
        }
    }

    private List<String> run(SchemaRegistry registry, Schema schema, JsonNode node, int limit)
            throws BadSchema {
        var context = new Watched(limit == 1);
        try {
            schema.validate(context, node);
        } catch (Watch.OutOfTime e) {
            throw e;
        } catch (ValidationLimitExceededException | StackOverflowError e) {
            throw new BadSchema("refers to itself without an end");
        } catch (com.networknt.schema.FailFastAssertionException e) {
            return context.getErrors().stream().limit(1).map(JsonSchemas::shown).toList();
        } catch (RuntimeException e) {
            throw broken(e);
        }
        return context.getErrors().stream().limit(limit).map(JsonSchemas::shown).toList();
    }

    private static BadSchema broken(Throwable e) {
        String message = e.getMessage() == null ? "" : e.getMessage();
        return new BadSchema(
                message.contains("$ref") || message.contains("resolved") || message.contains("load")
                        ? "has a reference that is not followed: " + message
                        : "cannot be used: " + message);
    }

    private static String shown(Error error) {
        return JsonPointers.shown(error.getInstanceLocation().toString())
                + ": "
                + error.getMessage();
    }

    private static int longest(JsonNode node) {
        if (!node.isContainer()) return 0;
        int longest = node.isArray() ? node.size() : 0;
        for (JsonNode child : node) longest = Math.max(longest, longest(child));
        return longest;
    }

    /** Looks at the clock whenever a keyword's turn comes. */
    private final class Watched extends ExecutionContext {
        Watched(boolean failFast) {
            super(
                    ExecutionConfig.builder()
                            .maxEvaluationDepth(MAX_DEPTH)
                            .failFast(failFast)
                            .formatAssertionsEnabled(true)
                            .build());
        }

        @Override
        public void evaluationPathAddLast(String keyword) {
            watch.tick();
            super.evaluationPathAddLast(keyword);
        }

        @Override
        public void evaluationPathAddLast(int index) {
            watch.tick();
            super.evaluationPathAddLast(index);
        }
    }
}
