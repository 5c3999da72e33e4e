import type { MessageParam, Tool, ToolChoiceTool } from '@anthropic-ai/sdk/resources/messages';
import { BadAnswer, nameOf, type AskModel, type ModelRequest } from './model.ts';

/** Anthropic's Messages. */
export const askClaude: AskModel = async ({ baseUrl, apiKey, model }, request, { fetch, signal }) => {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({ baseURL: baseUrl, apiKey, authToken: null, maxRetries: 0, logLevel: 'off', fetch });
  const stream = await client.messages.create(
    {
      model,
      max_tokens: request.maxTokens,
      system: request.system,
      messages: [messageOf(request)],
      ...toolOf(request),
      stream: true,
    },
    { signal },
  );
  const answer = { text: '', isCut: false, tokensIn: 0, tokensOut: 0 };
  let isComplete = false;
  for await (const event of stream) {
    if (event.type === 'message_start') answer.tokensIn = event.message.usage.input_tokens;
    if (event.type === 'content_block_delta') {
      if (event.delta.type === 'input_json_delta') answer.text += event.delta.partial_json;
      if (event.delta.type === 'text_delta') answer.text += event.delta.text;
      request.onText?.(answer.text);
    }
    if (event.type === 'message_delta') {
      answer.isCut = event.delta.stop_reason === 'max_tokens';
      answer.tokensOut = event.usage.output_tokens;
      if (event.delta.stop_reason === 'refusal') throw new BadAnswer();
    }
    if (event.type === 'message_stop') isComplete = true;
  }
  if (!isComplete) throw new Error('the answer broke off');
  return answer;
};

/** An answer with a schema is the input of a tool that the model must call. */
function toolOf(request: ModelRequest): { tools?: Tool[]; tool_choice?: ToolChoiceTool } {
  if (!request.schema) return {};
  const name = nameOf(request);
  const input_schema = request.schema as Tool.InputSchema;
  return {
    tools: [{ name, description: 'Records the answer.', input_schema }],
    tool_choice: { type: 'tool', name },
  };
}

const messageOf = ({ user, images = [] }: ModelRequest): MessageParam => ({
  role: 'user',
  content: [
    ...images.map((image) => ({
      type: 'image' as const,
      source: {
        type: 'base64' as const,
        media_type: 'image/png' as const,
        data: Buffer.from(image).toString('base64'),
      },
    })),
    { type: 'text' as const, text: user },
  ],
});
