{{- define "limn.labels" -}}
app.kubernetes.io/name: limn
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "limn.claim" -}}
{{ .Values.data.existingClaim | default (printf "%s-data" .Release.Name) }}
{{- end }}

{{/* The part that servers and workers have in common. */}}
{{- define "limn.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - secretRef: { name: {{ .Values.secretName }} }
env:
  {{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
resources: {{- toYaml .Values.resources | nindent 2 }}
{{- end }}

{{- define "limn.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
automountServiceAccountToken: false
# DRAIN_SECONDS, ten seconds for requests in progress, and 30 for a database that does not respond.
terminationGracePeriodSeconds: 60
volumes:
  - name: data
    persistentVolumeClaim: { claimName: {{ include "limn.claim" . }} }
  - name: tmp
    emptyDir: {}
{{- end }}
