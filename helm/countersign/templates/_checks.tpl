{{/*
Every setting below a value as one line of JSON, {"name", "value"}, its name in the one form that all
spellings of Spring come down to: lower case, dots between words, no dashes and underscores.
*/}}
{{- define "countersign.settings" -}}
{{- if and .value (kindIs "map" .value) }}
{{- range $key, $value := .value }}
{{- include "countersign.settings" (dict "name" (printf "%s.%v" $.name $key) "value" $value) }}
{{- end }}
{{- else if and .value (kindIs "slice" .value) }}
{{- range $index, $value := .value }}
{{- include "countersign.settings" (dict "name" (printf "%s.%d" $.name $index) "value" $value) }}
{{- end }}
{{- else }}
{{ dict "name" (regexReplaceAll "[.\\[\\]]+" (lower .name) "." | replace "-" "" | replace "_" "" | trimAll ".") "value" (toString .value) | toJson }}
{{- end }}
{{- end -}}

{{/* Where a variable's name comes down to the same: COUNTERSIGN_SIGNING_KEK, countersign.signing.kek. */}}
{{- define "countersign.variable" -}}
{{ . | lower | replace "_" "." }}
{{- end -}}

{{/* What holds a secret by its name, or is one of those that the chart gives by reference itself. */}}
{{- define "countersign.isSecret" -}}
{{- if or (regexMatch "^countersign\\.signing\\.(kek|kekfile|keyfile)$|^spring\\.datasource\\.username$" .)
  (regexMatch "(password|passwd|passphrase|secret|secretkey|apikey|accesskey|bootstrapkey|kek|token|credentials?)$" .) }}true{{ end -}}
{{- end -}}

{{/* What the chart sets itself, or what its probes, services and scrapes count on. */}}
{{- define "countersign.isOfTheChart" -}}
{{- range list
  "countersign.roles" "countersign.schema" "countersign.local" "countersign.sandbox.required"
  "countersign.sandbox.limits.memory" "countersign.sandbox.limits.filesize" "countersign.checks.concurrency"
  "countersign.workspaces.directory"
  "spring.datasource.url" "spring.datasource.hikari.jdbcurl"
  "spring.lifecycle.timeoutpershutdownphase" "spring.config.additionallocation" "spring.mvc.servlet.path"
  "server.port" "server.address" "server.ssl" "server.servlet.contextpath"
  "management.server" "management.endpoints.web.basepath" "management.endpoints.web.pathmapping"
}}
{{- if or (eq $ .) (hasPrefix (printf "%s." .) $) }}true{{ end }}
{{- end }}
{{- end -}}

{{/* Refuses a setting that must not come this way; .at says where it stands. */}}
{{- define "countersign.checkSetting" -}}
{{- if include "countersign.isSecret" .name }}
{{- fail (printf "%s (%s): secrets come by reference only: database, signing, access.bootstrapKey, grader.apiKeys, or extraEnv with valueFrom.secretKeyRef" .at .name) }}
{{- end }}
{{- if include "countersign.isOfTheChart" .name }}
{{- fail (printf "%s (%s): the chart sets this, or its probes and services count on the default: leave it out" .at .name) }}
{{- end }}
{{- if regexMatch "(?i)[?&](ssl)?password=|://[^/@\\s]+:[^/@\\s]+@|PRIVATE KEY-----" .value }}
{{- fail (printf "%s (%s): its value holds a secret, and secrets come by reference only" .at .name) }}
{{- end }}
{{- end -}}

{{- define "countersign.checkConfig" -}}
{{- range splitList "\n" (include "countersign.settings" (dict "name" "" "value" .Values.config)) }}
{{- with trim . }}
{{- $setting := fromJson . }}
{{- include "countersign.checkSetting" (dict "at" "config" "name" $setting.name "value" $setting.value) }}
{{- end }}
{{- end }}
{{- range $part := list "api" "worker" "migration" }}
{{- range (index $.Values $part).extraEnv }}
{{- $at := printf "%s.extraEnv %s" $part .name }}
{{- $name := include "countersign.variable" .name }}
{{- if not (and .valueFrom (include "countersign.isSecret" $name)) }}
{{- include "countersign.checkSetting" (dict "at" $at "name" $name "value" (.value | default "" | toString)) }}
{{- end }}
{{- if eq .name "JAVA_OPTS" }}
{{- fail (printf "%s: use %s.javaOpts" $at $part) }}
{{- end }}
{{- end }}
{{- end }}
{{- if regexMatch "(?i)[?&](ssl)?password=" .Values.database.url }}
{{- fail "database.url holds a password: secrets come by reference only (database.existingSecret)" }}
{{- end }}
{{- if and (eq .Values.signing.kind "private-key") (not .Values.signing.key) }}
{{- fail "signing.key names the key of the secret that holds the private key (signing.kind is private-key)" }}
{{- end }}
{{- end -}}

{{/* The bytes of a quantity such as 6Gi, 512Mi, 1.5G or 6442450944. */}}
{{- define "countersign.bytes" -}}
{{- if not (kindIs "string" .) -}}
{{- printf "%.0f" (float64 .) -}}
{{- else -}}
{{- if not (regexMatch "^[0-9]+([.][0-9]+)?(k|M|G|T|Ki|Mi|Gi|Ti)?$" .) }}{{ fail (printf "%q is no quantity of memory such as 6Gi" .) }}{{ end -}}
{{- $unit := regexReplaceAll "[0-9.]" . "" -}}
{{- $factors := dict "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- printf "%.0f" (mulf (trimSuffix $unit . | float64) (get $factors $unit | default 1)) -}}
{{- end -}}
{{- end -}}

{{/* The same in MB of Spring and of the JVM, both of 1024 KB. */}}
{{- define "countersign.megabytes" -}}
{{- div (include "countersign.bytes" . | int64) 1048576 -}}
{{- end -}}

{{- define "countersign.checkBounds" -}}
{{- range $role := list "api" "worker" }}
{{- with index $.Values $role }}
{{- if gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas) }}
{{- fail (printf "%s.autoscaling.minReplicas (%v) is more than maxReplicas (%v)" $role .autoscaling.minReplicas .autoscaling.maxReplicas) }}
{{- end }}
{{- if lt (int .terminationGracePeriodSeconds) (add 60 .preStopSeconds | int) }}
{{- fail (printf "%s.terminationGracePeriodSeconds (%v) is less than preStopSeconds (%v) and the 60 s that a shutdown may take" $role .terminationGracePeriodSeconds .preStopSeconds) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.worker }}
{{- with .resources.limits }}
{{- if .memory }}
{{- $checks := $.Values.worker.checks }}
{{- $memory := include "countersign.megabytes" $checks.memory | int }}
{{- /* Beside their processes: /tmp, which holds no more than one file may, and 256 MB of /dev/shm. */}}
{{- $each := add $memory (min $memory (include "countersign.megabytes" $checks.fileSize | int)) 256 }}
{{- $need := add (mul (int $checks.concurrency) $each) (include "countersign.megabytes" $.Values.worker.heap | int) 256 }}
{{- if gt $need (include "countersign.megabytes" .memory | int64) }}
{{- fail (printf "worker.resources.limits.memory (%v) is less than the %dMi that worker.checks.concurrency (%v) times worker.checks.memory (%s), worker.checks.fileSize (%s, for /tmp) and 256Mi (/dev/shm), and worker.heap (%s) with 256Mi beside it can take: raise it or lower them" .memory $need $checks.concurrency $checks.memory $checks.fileSize $.Values.worker.heap) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
