import { stage } from '../stage.ts';

/** The first page, small. A document without a picture of it is still a good document. */
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
