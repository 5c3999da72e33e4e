/** The thread of a backup sends a message so often, unless native code keeps it busy. */
export const BEAT_MS = 1000;
