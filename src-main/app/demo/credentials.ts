/** The account that the build step of the sample household creates, and what unlocks its phone backup. */
export const SAMPLE = {
  username: 'demo',
  password: 'demo',
  phone_passphrase: 'sunflower lake',
};
