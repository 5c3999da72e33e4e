/** The error codes of OCR services and models. A stage event says with them why a provider was passed over. */
export const PROVIDER_ERRORS = {
  'provider.not_found': { status: 404, detail: 'This provider does not exist. Refresh the list.' },
  'provider.unknown_credential': {
    status: 400,
    detail: 'The credential “{{credential}}” does not exist. Choose another one.',
  },
  'provider.credential_mismatch': {
    status: 400,
    detail: 'The credential “{{credential}}” is for another kind of service. Choose another one.',
  },
  'provider.credential_in_use': {
    status: 409,
    detail: '“{{credential}}” is used by a provider. Choose another credential there first.',
  },
  'provider.unreachable': {
    status: 502,
    detail: '“{{provider}}” can’t be reached, or its answer broke off. Start it, or check its address.',
  },
  'provider.own_address': { status: 400, detail: 'The address of “{{provider}}” is not allowed. Enter another one.' },
  'provider.stays_here': {
    status: 403,
    detail: '“{{provider}}” is outside this computer, which the settings forbid. Change that switch to use it.',
  },
  'provider.key_refused': { status: 502, detail: '“{{provider}}” refuses the key. Enter it again.' },
  'provider.model_missing': {
    status: 502,
    detail: '“{{provider}}” does not know this model or address. Check the name of the model.',
  },
  'provider.busy': { status: 503, detail: '“{{provider}}” is busy, or its limit is used up. Try again later.' },
  'provider.failed': { status: 502, detail: '“{{provider}}” reports an error of its own. Look into its log.' },
  'provider.refused': { status: 502, detail: '“{{provider}}” refuses the request. Check the name of the model.' },
  'provider.too_large': { status: 502, detail: 'The document is too long for “{{provider}}”. Use a larger model.' },
  'provider.too_slow': {
    status: 504,
    detail: '“{{provider}}” did not answer in time. Allow more time, or use a smaller model.',
  },
  'provider.bad_answer': {
    status: 502,
    detail: '“{{provider}}” answered in a form that can’t be used. Try another model.',
  },
  'model.not_set_up': {
    status: 503,
    detail: 'No language model is set up for this. An administrator can choose one in the settings, under Reading.',
  },
  'provider.local_missing': {
    status: 503,
    detail:
      '“{{provider}}” needs the package node-llama-cpp, which is not installed here. Install it with npm, or use Ollama.',
  },
  'provider.file_missing': {
    status: 404,
    detail: 'The folder of models has no file “{{file}}” for “{{provider}}”. Put it there, or choose another one.',
  },
  'provider.file_unreadable': {
    status: 502,
    detail: 'The model of “{{provider}}” can’t be loaded. Download it again, or choose another file.',
  },
  'provider.too_little_memory': {
    status: 503,
    detail:
      '“{{provider}}” needs {{needed}} GB of memory; {{free}} GB are free. Close programs, or use a smaller model.',
  },
  'provider.model_crashed': {
    status: 502,
    detail: 'The process of “{{provider}}” ended twice while it answered. Choose a smaller model.',
  },
  'provider.no_model_name': { status: 400, detail: '“{{provider}}” has no model. Enter the name of one.' },
  'provider.no_address': { status: 400, detail: '“{{provider}}” has no address. Enter it.' },
  'provider.no_key': { status: 400, detail: '“{{provider}}” has no key. Enter it.' },
} as const satisfies Record<string, { status: number; detail: string }>;

/** What a request to a language model may fail with. */
export const MODEL_ERRORS = Object.keys(PROVIDER_ERRORS) as (keyof typeof PROVIDER_ERRORS)[];
