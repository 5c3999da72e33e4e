export interface SetupDraft {
  displayName: string;
  username: string;
  password: string;
  patientName: string;
  birth: string;
  sex: string;
}
