package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.Workspace;
import io.countersign.dod.Check;
import io.countersign.dod.Check.Dialect;
import io.countersign.kernel.Cause;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

class SchemaMatchTests {
    @TempDir Path root;

    @ParameterizedTest(name = "{0} fits {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"ok":true,"more":1}   | {"ok":false}
                    {"a":{"b":"x"}}        | {"a":{"b":"y"}}
                    {"a":[]}               | {"a":[1,2]}
                    {"a":1.5}              | {"a":1}
                    {"a":null}             | {"a":null}
                    [1]                    | ["x"]
                    {"type":"objekt"}      | {"type":"objekt"}
                    {"items":[1],"next":2} | {"items":[],"next":1}
                    {"type":"Feature","properties":{}} | {"type":"Feature","properties":{}}
                    {"properties":{"a":"b"}} | {"properties":{"a":"c"}}
                    {"ok":true}            | {"type":"object","required":["ok"]}
                    {"a":1}                | {"properties":{"a":{"type":"integer"}}}
                    ["a"]                  | {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","prefixItems":[{"type":"string"}],"items":false}
                    ["a"]                  | {"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}
                    {"price":1}            | {"$schema":"http://json-schema.org/draft-04/schema#","properties":{"price":{"minimum":0,"exclusiveMinimum":true}},"required":["price"]}
                    {"a":"2024-02-29"}     | {"properties":{"a":{"format":"date"}},"required":["a"]}
                    3                      | {"enum":[1,2,3]}
                    {"n":{"n":{}}}         | {"type":"object","properties":{"n":{"$ref":"#"}},"additionalProperties":false}
                    {"a":"\u00e9"}         | {"properties":{"a":{"pattern":"^\\\\u00e9$"}}}
                    """)
    void fits(String document, String schema) throws IOException {
        assertThat(match(document, schema, null)).isEqualTo(Evaluation.PASSED);
    }

    @ParameterizedTest(name = "{0} does not fit {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"a":{}}       | {"a":{"b":1}}                 | /a/b is missing
                    {"a":"x"}      | {"a":{"b":1}}                 | /a is a string, not an object
                    []             | {"a":1}                       | the document is an array, not an object
                    {"a":1}        | {"a":null}                    | /a is a number, not null
                    {}             | {"a/b~":1}                    | /a~1b~0 is missing
                    {}             | {"type":"objekt"}             | /type is missing
                    {}             | {"items":true}                | /items is missing
                    {"ok":1}       | {"type":"object","properties":{"ok":{"type":"boolean"}}} | /ok: integer found, boolean expected
                    {"a":[1,"x"]}  | {"properties":{"a":{"items":{"type":"integer"}}}} | /a/1
                    {}             | {"required":["ok"]}           | 'ok'
                    {"price":0}    | {"$schema":"http://json-schema.org/draft-04/schema#","properties":{"price":{"minimum":0,"exclusiveMinimum":true}},"required":["price"]} | /price
                    {"a":"2023-02-29"} | {"properties":{"a":{"format":"date"}}} | /a
                    ["a",1]        | {"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"string"}],"items":false} | index '1'
                    {"qty":-1}     | {"properties":{"qty":{"minimum":0}}} | /qty
                    {"a":{"$ref":1}} | {"properties":{"a":{"type":"string"}}} | /a
                    """)
    void namesThePointerOfWhatDoesNotFit(String document, String schema, String reason)
            throws IOException {
        Evaluation evaluation = match(document, schema, null);
        assertThat(evaluation.outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(evaluation.cause()).isEqualTo(Cause.WORK);
        assertThat(evaluation.reason())
                .startsWith("out.json does not fit the schema: ")
                .contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {}                                                        | is empty
                    []                                                        | is empty
                    {"$schema":"https://json-schema.org/draft/2020-12/schema"} | demands nothing
                    {"$schema":"https://example.com/mine","type":"object"}    | unknown dialect
                    {"type":"object","properties":7}                          | is no valid schema
                    {"type":["objekt"],"required":["a"]}                      | is no valid schema
                    {"type":"object","minimum":"x"}                           | is no valid schema
                    {"type":"object","required":["a"],"pattern":"("}          | pattern
                    {"properties":{"a":{"pattern":"(?=a)b"}}}                 | pattern
                    {"properties":{"a":{"pattern":"((((a{99}){99}){99}){99}){99}"}}} | pattern
                    {"$ref":"https://example.com/schema.json"}                | reference
                    {"$ref":"file:///etc/passwd"}                             | reference
                    {"$ref":"http://127.0.0.1:9/x"}                           | reference
                    {"$ref":"classpath:/application.yaml"}                    | reference
                    {"$ref":"classpath:draft/../application.yaml"}            | reference
                    {"$ref":"http://json-schema.org/draft-../application.yaml"} | reference
                    {"$ref":"https://json-schema.org/draft/../application.yaml"} | reference
                    {"$ref":"#/nowhere"}                                      | reference
                    {"$ref":"#"}                                              | itself
                    {"allOf":[{"$ref":"#"}]}                                  | itself
                    {"type":"object","type":"string"}                         | duplicate key "type"
                    {"type":"object"                                          | not valid JSON
                    """)
    void failsAnUnusableSchemaAsTheAuthorsFault(String schema, String reason) throws IOException {
        Evaluation evaluation = match("{\"a\":\"b\"}", schema, null);
        assertThat(evaluation.outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(evaluation.cause()).isEqualTo(Cause.DOD);
        assertThat(evaluation.reason()).startsWith("the schema ").containsIgnoringCase(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"qty":-1,"qty":1} | duplicate key "qty"
                    {"a":NaN}          | NaN
                    {"a":Infinity}     | not valid JSON
                    {"a":1}{"a":2}     | not valid JSON
                    {"a":1,}           | not valid JSON
                    {'a':1}            | not valid JSON
                    ` `                | is empty
                    {"a":1e999999999}  | out of any range
                    """)
    void refusesADocumentThatReadersDisagreeOn(String document, String reason) throws IOException {
        Evaluation evaluation = match(document, "{\"type\":\"object\"}", null);
        assertThat(evaluation.outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(evaluation.reason()).startsWith("out.json ").contains(reason);
        assertThat(evaluation.reason()).doesNotContain("JsonReadFeature");
    }

    @Test
    void ignoresAByteOrderMark() throws IOException {
        assertThat(
                        match(
                                "\uFEFF{\"ok\": true}\r\n",
                                "{\"type\":\"object\",\"required\":[\"ok\"]}",
                                null))
                .isEqualTo(Evaluation.PASSED);
    }

    @Test
    void refusesWhatIsNotUtf8() throws IOException {
        Files.write(root.resolve("out.json"), new byte[] {'"', (byte) 0xff, '"'});
        assertThat(evaluate("{\"type\":\"string\"}", null).reason())
                .isEqualTo("out.json is not UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"type":"object"} | {"type":"object"} | SHAPE         | true
                    {"a":1}           | {"type":"object"} | SHAPE         | false
                    {"a":1}           | {"minProperties":1} | DRAFT_2020_12 | true
                    {}                | {"minProperties":1} | DRAFT_07      | false
                    {"a":1}           | {"$schema":"http://json-schema.org/draft-07/schema#","type":"object"} | DRAFT_2020_12 | false
                    """)
    void letsTheCheckNameTheDialect(String document, String schema, Dialect dialect, boolean passes)
            throws IOException {
        assertThat(match(document, schema, dialect).outcome() == CheckOutcome.PASSED)
                .isEqualTo(passes);
    }

    @Test
    void readsTheSchemaFromAFile() throws IOException {
        Files.writeString(root.resolve("s.json"), "{\"type\":\"object\",\"required\":[\"a\"]}");
        assertThat(match("{\"a\":1}", "s.json", null)).isEqualTo(Evaluation.PASSED);
        assertThat(match("{}", "s.json", null).outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(match("{}", "none.json", null).reason()).isEqualTo("file not found: none.json");
        Files.writeString(root.resolve("s.json"), "true");
        assertThat(match("{}", "s.json", null).cause()).isEqualTo(Cause.WORK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"properties\":{\"a\":{\"pattern\":\"^(a+)+$\"}}}",
                "{\"properties\":{\"a\":{\"pattern\":\"^(a|a)*b$\"}}}"
            })
    @Timeout(20)
    void takesLinearTimeForAnyPattern(String schema) throws IOException {
        String document = "{\"a\":\"" + "a".repeat(50_000) + "!\"}";
        assertThat(match(document, schema, null).outcome()).isEqualTo(CheckOutcome.FAILED);
    }

    @Test
    @Timeout(20)
    void endsAtItsTimeBoxWhateverTheSchemaAsksFor() throws IOException {
        StringBuilder schema = new StringBuilder("{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
        for (int i = 0; i < 40; i++) {
            String next = "{\"$ref\":\"#/$defs/d" + (i + 1) + "\"}";
            schema.append("\"d%d\":{\"allOf\":[%s,%s]},".formatted(i, next, next));
        }
        schema.append("\"d40\":{\"type\":\"object\"}}}");
        Files.writeString(root.resolve("out.json"), "{}");
        Evaluation evaluation = evaluate(schema.toString(), null);
        assertThat(evaluation.outcome()).isEqualTo(CheckOutcome.TIMED_OUT);
    }

    @Test
    @Timeout(20)
    void comparesALargeFileWithoutKeepingEveryFault() throws IOException {
        String document = "[" + "1,".repeat(1_000_000) + "1]";
        Evaluation evaluation = match(document, "{\"items\":{\"type\":\"string\"}}", null);
        assertThat(evaluation.reason()).contains("/0: ").doesNotContain("/1: ");
    }

    @Test
    @Timeout(20)
    void doesNotCompareHugeArraysEachWithEach() throws IOException {
        String document = "[" + "\"a\",".repeat(50_000) + "\"a\"]";
        Evaluation evaluation = match(document, "{\"type\":\"array\",\"uniqueItems\":true}", null);
        assertThat(evaluation.reason()).contains("uniqueItems");
    }

    @Test
    void refusesDeepNesting() throws IOException {
        String document = "[".repeat(100_000) + "]".repeat(100_000);
        assertThat(match(document, "{\"type\":\"array\"}", null).reason())
                .contains("not valid JSON");
    }

    private Evaluation match(String document, String schema, @Nullable Dialect dialect)
            throws IOException {
        Files.writeString(root.resolve("out.json"), document);
        return evaluate(schema, dialect);
    }

    private Evaluation evaluate(String schema, @Nullable Dialect dialect) {
        var policy =
                new CheckPolicy(
                        List.of(),
                        null,
                        null,
                        null,
                        Duration.ofSeconds(1),
                        false,
                        false,
                        List.of());
        var context =
                new CheckContext(
                        new Workspace(root, ""),
                        new ChangeSet.Unknown(),
                        policy,
                        null,
                        Instant.MAX);
        var watch = new Watch(InstantSource.system(), Instant.now().plusSeconds(3));
        try {
            return SchemaMatchCheck.evaluate(
                    new Check.SchemaMatch("out.json", schema, dialect, 1), context, watch);
        } catch (Watch.OutOfTime e) {
            return Evaluation.not(CheckOutcome.TIMED_OUT, "out of time", Cause.WORK);
        }
    }
}
