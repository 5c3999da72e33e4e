import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** Asks before something that cannot be undone. */
export function AskDialog({
  title,
  text,
  cancel,
  confirm,
  onClose,
  onConfirm,
}: {
  title: string;
  text: string;
  cancel: string;
  confirm: string;
  onClose: () => void;
  onConfirm: () => void;
}) {
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <p>{text}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{cancel}</Button>
        <Button
          variant="danger"
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
