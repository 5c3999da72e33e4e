import { stage } from '../stage.ts';

/** Creates a small image of the first page. A document is usable without it, so a failure does not stop the flow. */
export const thumbnail = stage({
  name: 'thumbnail',
  version: 1,
  needs: ['reading'],
  makes: ['thumbnail'],
  onFailure: 'go_on',
  async run(_input, tools) {
    const answer = await tools.makeThumbnail();
    return answer.ok ? { ...answer, value: { thumbnail: answer.value } } : answer;
  },
});
