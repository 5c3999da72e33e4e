/** What a board can be made to do wrong. Each fault counts down, unless it says otherwise. */
export interface Faults {
  /** So many SYNC commands get no answer. */
  droppedSyncs: number;
  /** So many replies to data blocks arrive with a bit turned, after `afterBlocks`. */
  corruptedReplies: number;
  /** So many data blocks arrive with a bit turned. */
  corruptedBlocks: number;
  /** The cable is pulled at this data block; 0 = never. */
  hangUpAtBlock: number;
  /** Nothing is answered from this data block on, until the next reset; 0 = never. */
  silentFromBlock: number;
  /** So many MD5 answers are wrong. */
  wrongDigests: number;
  /** So many loaders in RAM crash instead of greeting. */
  crashedLoaders: number;
  /** Each data block takes so much longer, always. */
  slowBlockMs: number;
  /** Above this speed the line turns bits in what the board sends, always; 0 = never. */
  cleanUpToBaud: number;
  /** The lines for reset do not reach the chip, always: a board without the two transistors. */
  hasNoResetLines: boolean;
  /** Frames of a read in which a bit is turned. */
  corruptedReads: number;
  /** It says that it is a chip that came out later, always; only chips with security information can. */
  isOtherChip: boolean;
  /** Its fuses allow nothing but secure download, always; only chips with security information have them. */
  isLocked: boolean;
  /** The flash does not answer the chip, always. */
  hasNoFlash: boolean;
}

/** A board without faults. */
export const NO_FAULTS: Readonly<Faults> = {
  droppedSyncs: 0,
  corruptedReplies: 0,
  corruptedBlocks: 0,
  hangUpAtBlock: 0,
  silentFromBlock: 0,
  wrongDigests: 0,
  crashedLoaders: 0,
  slowBlockMs: 0,
  cleanUpToBaud: 0,
  hasNoResetLines: false,
  corruptedReads: 0,
  isOtherChip: false,
  isLocked: false,
  hasNoFlash: false,
};
