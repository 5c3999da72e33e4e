import { BadAnswer, nameOf, type AskModel, type ModelRequest } from './model.ts';

/** Servers without keys still get a header, since the client wants one. */
const NO_KEY = 'none';

/**
 * OpenAI's Chat Completions, also of vLLM and other servers that speak it. The answer is streamed, so that a cancelled
 * request ends at once, and held to the schema by `response_format` (structured outputs).
 */
export const askOpenAi: AskModel = async ({ type, baseUrl, apiKey, model }, request, { fetch, signal }) => {
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey === '' ? NO_KEY : apiKey,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch,
  });
  const limit =
    type === 'openai'
      ? { max_completion_tokens: request.maxTokens }
      : { max_tokens: request.maxTokens, temperature: 0 };
  const stream = await client.chat.completions.create(
    {
      model,
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: contentOf(request) },
      ],
      ...(request.schema && {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: nameOf(request), schema: request.schema, strict: true },
        },
      }),
      stream: true,
      stream_options: { include_usage: true },
      ...limit,
    },
    { signal },
  );
  const answer = { text: '', isCut: false, tokensIn: 0, tokensOut: 0 };
  let isComplete = false;
  for await (const { choices, usage } of stream) {
    const [choice] = choices;
    if (choice?.delta.content) {
      answer.text += choice.delta.content;
      request.onText?.(answer.text);
    }
    if (choice?.finish_reason) isComplete = true;
    if (choice?.finish_reason === 'length') answer.isCut = true;
    if (choice?.finish_reason === 'content_filter') throw new BadAnswer();
    if (usage) Object.assign(answer, { tokensIn: usage.prompt_tokens, tokensOut: usage.completion_tokens });
  }
  // A connection that is cut ends the stream without a reason.
  if (!isComplete) throw new Error('the answer broke off');
  return answer;
};

const contentOf = ({ user, images = [] }: ModelRequest) => [
  ...images.map((image) => ({
    type: 'image_url' as const,
    image_url: { url: `data:image/png;base64,${Buffer.from(image).toString('base64')}` },
  })),
  { type: 'text' as const, text: user },
];
