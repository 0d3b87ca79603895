import { t } from "@lingui/core/macro";
import { Button, Divider, Group, Modal, NumberInput, SimpleGrid, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, memo, useState } from "react";
import { updateDataset } from "../../../../shared/api/datasets/dataset";
import { SIMPLIFY } from "../../../../shared/constants";
import { rebaseMetadata } from "../../../../shared/edits/rebaseMetadata";
import { same } from "../../../../shared/edits/same";
import { metadataOf, metadataProblems, metadataRows } from "../../../../shared/rules/metadataValue";
import { FormFields } from "../../../components/forms/FormFields";
import { MetadataFields } from "../../../components/forms/MetadataFields";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { messageOf, showSuccess } from "../../../components/messages/toast";
import { request } from "../../../io/http/request";
import { useDocument, useEditor, useMayEdit } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { ShortcutFields } from "../shortcuts/ShortcutFields";

/** Beginning of every address. */
const ADDRESS_START = "https://";
const FORM = "image-settings";
/** Memoized, so that typing in the form above does not render a hundred rows again. */
const Shortcuts = memo(ShortcutFields);

/**
 * Dialog with the keyboard shortcuts and the settings for drawing, this image and the dataset's annotate URL. Changed
 * shortcuts take effect at once.
 */
export function ImageSettingsDialog() {
  const { ui, settings, document, commands } = useEditor();
  const dataset = useDocument((state) => state.dataset);
  const mayManage = useDocument((state) => state.permissions.dataset.manage);
  const mayEdit = useMayEdit();
  const [before] = useState(document.state.image.metadata);
  const [rows, setRows] = useState(() => metadataRows(before));
  const [simplify, setSimplify] = useState<number | string>(settings.state.simplify);
  const [url, setUrl] = useState(dataset.annotate_url);
  const [first] = useState({ rows, simplify, url });
  const save = useMutation({
    mutationFn: async () => {
      const annotate_url = url.trim();
      // Compared with the URL that was shown: another user may have changed it since.
      if (!mayManage || annotate_url === first.url.trim()) return;
      await request(updateDataset, { params: { id: dataset.id }, body: { annotate_url } });
      document.putDataset({ annotate_url });
    },
  });
  const submit = useSubmitOnce(save);
  const handleSaved = () => {
    if (typeof simplify === "number" && simplify !== settings.state.simplify) settings.change({ simplify });
    const metadata = rebaseMetadata(before, metadataOf(rows), document.state.image.metadata);
    commands.changeImage({ metadata }, { name: t`Image`, action: t`Metadata` });
    ui.close();
  };
  const urlError = problemOf(url) ?? (save.error ? messageOf(save.error) : null);
  const isValid = problemOf(url) === null && metadataProblems(rows).size === 0;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const showAddressSaved = () => showSuccess(t`Image Settings`, t`The address was saved; nothing else was changed.`);
    if (isValid) submit(undefined, handleSaved, showAddressSaved);
  };
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={() => ui.close()}
      closeOnClickOutside={same(first, { rows, simplify, url })}
      title={t`Image Settings`}
      size="xl"
    >
      <form id={FORM} onSubmit={handleSubmit}>
        <FormFields isSent={save.isPending} gap="md">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              data-autofocus
              label={t`Simplify`}
              description={t`Maximum deviation of an outline from your drawing, in image pixels`}
              min={SIMPLIFY.min}
              max={SIMPLIFY.max}
              step={0.5}
              value={simplify}
              onChange={setSimplify}
            />
            <TextInput
              label={t`Annotate API`}
              description={
                mayManage
                  ? t`URL of a service that annotates this dataset's images`
                  : t`Only the dataset's owner and maintainers can change this URL`
              }
              placeholder={ADDRESS_START}
              maxLength={2000}
              readOnly={!mayManage}
              variant={mayManage ? undefined : "filled"}
              error={urlError}
              value={url}
              onChange={(event) => {
                setUrl(event.currentTarget.value);
                save.reset();
              }}
            />
          </SimpleGrid>
          <fieldset disabled={!mayEdit} className={classes.lookOnly}>
            <MetadataFields label={t`Metadata`} description={t`For this image`} rows={rows} onChange={setRows} />
          </fieldset>
        </FormFields>
      </form>
      <Divider my="md" />
      <Title order={3} size="sm" mb="xs">
        {t`Keyboard Shortcuts`}
      </Title>
      <Shortcuts />
      <Group justify="flex-end" className={classes.dialogFoot}>
        <Button variant="default" onClick={() => ui.close()}>
          {t`Cancel`}
        </Button>
        <Button type="submit" form={FORM} disabled={!isValid} loading={save.isPending}>
          {t`Apply`}
        </Button>
      </Group>
    </Modal>
  );
}

/** Returns the reason why an address is invalid; null if it is empty or an http or https address. */
function problemOf(address: string): string | null {
  const trimmed = address.trim();
  if (trimmed === "") return null;
  const isWeb = URL.canParse(trimmed) && /^https?:$/.test(new URL(trimmed).protocol);
  return isWeb ? null : t`Enter an http or https address`;
}
