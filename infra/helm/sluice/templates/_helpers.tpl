{{- define "sluice.labels" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "sluice.fullname" -}}
{{ printf "%s-%s" .root.Release.Name .name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "sluice.image" -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $image.repository }}/{{ .name }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "sluice.databaseSecret" -}}
{{- .Values.database.existingSecret | default (printf "%s-database" .Release.Name) -}}
{{- end }}

{{- define "sluice.needed" -}}
{{- $_ := required "kafka.bootstrapServers is needed, for example kafka-bootstrap.kafka:9092" .Values.kafka.bootstrapServers }}
{{- $_ := required "database.url is needed, for example jdbc:postgresql://postgres:5432/sluice" .Values.database.url }}
{{- $_ := required "temporal.address is needed, for example temporal-frontend.temporal:7233" .Values.temporal.address }}
{{- if not .Values.database.existingSecret }}
{{- $_ := required "database.existingSecret is needed, for example sluice-database, or database.user and database.password" (and .Values.database.user .Values.database.password) }}
{{- end }}
{{- if and .Values.callbacks.enabled (not .Values.callbacks.existingSecret) }}
{{- fail "callbacks.existingSecret is needed when callbacks are enabled, for example sluice-callbacks" }}
{{- end }}
{{- end }}
