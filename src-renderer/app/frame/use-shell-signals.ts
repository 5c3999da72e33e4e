import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { BridgeSignal } from '../../../src-shared/contract/bridge.ts';
import type { CommandName } from '../../../src-shared/contract/commands.ts';
import { takeOfferedFiles } from '../../client/offered-files.ts';
import { isInShell, onShellSignal } from '../../client/shell-bridge.ts';

export interface ShellActions {
  commands: Readonly<Record<CommandName, () => void>>;
  /** Null if the user may not add documents. */
  addFiles: ((files: readonly File[]) => void) | null;
  showPorts: (ports: Extract<BridgeSignal, { kind: 'ports' }>['ports']) => void;
}

/**
 * Follows the desktop shell: its menu, links to pages, files that were opened with Hearth, and ports to select. Does
 * nothing in a browser.
 */
export function useShellSignals(actions: ShellActions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    if (!isInShell()) return;
    const takeFiles = (): void => {
      const { addFiles } = latest.current;
      if (addFiles) void takeOfferedFiles().then((files) => files.length > 0 && addFiles(files));
    };
    // Files that were opened before the page was there.
    takeFiles();
    return onShellSignal((signal) => {
      if (signal.kind === 'files') takeFiles();
      else if (signal.kind === 'command') latest.current.commands[signal.name]();
      else if (signal.kind === 'go') void navigate({ to: signal.path });
      else if (signal.kind === 'ports') latest.current.showPorts(signal.ports);
    });
  }, [navigate]);
}
