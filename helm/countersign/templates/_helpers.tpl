{{- define "countersign.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains "countersign" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-countersign" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects a release's pods; a component is added to it. */}}
{{- define "countersign.selector" -}}
app.kubernetes.io/name: countersign
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "countersign.labels" -}}
{{ include "countersign.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "countersign.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "countersign.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "countersign.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* Whether something else than this chart sets the number of replicas. */}}
{{- define "countersign.autoscaled" -}}
{{- $values := index .root.Values .role -}}
{{- if eq .role "api" -}}
{{- if $values.autoscaling.enabled }}true{{ end -}}
{{- else -}}
{{- if ne $values.autoscaling.kind "none" }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- define "countersign.databaseEnv" -}}
- name: SPRING_DATASOURCE_URL
  value: {{ .Values.database.url | quote }}
- name: SPRING_DATASOURCE_USERNAME
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: {{ .Values.database.usernameKey }}
- name: SPRING_DATASOURCE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: {{ .Values.database.passwordKey }}
{{- end -}}

{{/* Settings that both roles share; secrets by reference only. */}}
{{- define "countersign.env" -}}
{{ include "countersign.databaseEnv" . }}
- name: COUNTERSIGN_SCHEMA_ATSTART
  value: {{ ternary "verify" "migrate" .Values.migration.job | quote }}
{{- with .Values.access.bootstrapKey }}
{{- if .existingSecret }}
- name: COUNTERSIGN_ACCESS_BOOTSTRAPKEY
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .key }}
{{- end }}
{{- end }}
{{- if eq .Values.signing.kind "kek" }}
- name: COUNTERSIGN_SIGNING_KEK
  valueFrom:
    secretKeyRef:
      name: {{ .Values.signing.existingSecret }}
      key: {{ .Values.signing.key | default "signing-kek" }}
{{- else }}
- name: COUNTERSIGN_SIGNING_KEYFILE
  value: /etc/countersign-signing/key.pem
{{- end }}
- name: COUNTERSIGN_WORKSPACES_DIRECTORY
  value: /work/runs
- name: SPRING_LIFECYCLE_TIMEOUTPERSHUTDOWNPHASE
  value: 30s
{{- if .Values.config }}
- name: SPRING_CONFIG_ADDITIONALLOCATION
  value: file:/etc/countersign/
{{- end }}
{{- if .Values.ingress.enabled }}
- name: SERVER_FORWARDHEADERSSTRATEGY
  value: framework
{{- end }}
{{- if .Values.tracing.endpoint }}
- name: MANAGEMENT_TRACING_EXPORT_OTLP_ENABLED
  value: "true"
- name: MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT
  value: {{ .Values.tracing.endpoint | quote }}
- name: MANAGEMENT_TRACING_SAMPLING_PROBABILITY
  value: {{ .Values.tracing.samplingProbability | quote }}
{{- end }}
{{- range $provider, $secret := .Values.grader.apiKeys }}
- name: COUNTERSIGN_GRADER_PROVIDERS_{{ $provider | upper }}_APIKEY
  valueFrom:
    secretKeyRef:
      name: {{ $secret.existingSecret }}
      key: {{ $secret.key }}
{{- end }}
{{- end -}}

{{/* What the Pod Security Standards call restricted; workers relax it where the sandbox needs that. */}}
{{- define "countersign.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
{{- end -}}

{{- define "countersign.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
privileged: false
capabilities:
  drop: [ALL]
{{- end -}}
