package io.countersign.dod;

import static org.assertj.core.api.Assertions.assertThat;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a DoD as a block again, to show that reading it once more changes nothing. */
final class DodRendering {
    private DodRendering() {}

    static void assertReadsBack(Dod dod) {
        ParsedBlock again = DodParser.parse(render(dod), dod.source());
        assertThat(again.diagnostics()).isEmpty();
        assertThat(DodJson.digestMembers(again.dod())).isEqualTo(DodJson.digestMembers(dod));
    }

    static Dod stored(Dod dod) {
        String json = JsonMapper.shared().writeValueAsString(DodJson.members(dod));
        return DodJson.read(JsonMapper.shared().readTree(json));
    }

    static String render(Dod dod) {
        StringBuilder text = new StringBuilder("[acceptance]\nkind: ").append(dod.kind().wire());
        if (dod.deliverable() != null) text.append("\ndeliverable: ").append(dod.deliverable());
        dod.checks().forEach(check -> text.append("\ncheck: ").append(render(check)));
        dod.criteria().forEach(criterion -> text.append("\ncriteria: ").append(criterion));
        return text.append("\n[/acceptance]").toString();
    }

    private static String render(Check check) {
        Map<String, Object> members = CheckJson.members(check);
        return members.entrySet().stream()
                .map(e -> e.getKey().equals("kind") ? e.getValue() + "" : pair(e))
                .collect(Collectors.joining(" "));
    }

    private static String pair(Map.Entry<String, Object> member) {
        String value = member.getValue().toString();
        for (String special : List.of("\\", "\"")) value = value.replace(special, "\\" + special);
        return member.getKey() + "=\"" + value + '"';
    }
}
