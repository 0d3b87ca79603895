import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../components/messages/toast";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { useLeaveDataset } from "../../../queries/datasets";

/** Button with which members end their own membership. Then opens the list of datasets. */
export function LeaveDataset({ datasetId }: { datasetId: number }) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const leave = useLeaveDataset();
  const submit = useSubmitOnce(leave);
  const notify = () => showSuccess(t`Leave dataset`, t`You are no longer a member of the dataset.`);
  const handleLeft = () => {
    notify();
    navigate("/datasets");
  };
  return (
    <>
      <NeedsServer>
        <Button variant="default" size="xs" leftSection={<LogOut size={14} />} onClick={() => setAsking(true)}>
          {t`Leave dataset`}
        </Button>
      </NeedsServer>
      <ConfirmModal
        opened={isAsking}
        title={t`Leave dataset`}
        confirm={t`Leave`}
        isBusy={leave.isPending}
        isSent={leave.isPending}
        onConfirm={() => submit(datasetId, handleLeft, notify)}
        onClose={() => setAsking(false)}
      >
        {t`You will no longer see the dataset. What you have drawn stays in it, and images that are assigned to you become nobody's. A maintainer can share the dataset with you again.`}
      </ConfirmModal>
    </>
  );
}
