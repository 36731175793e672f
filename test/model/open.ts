/**
 * Schedules of schedules.test.ts, by their seed, that find what isn't mended yet: what each shows. One that passes has to
 * be taken out; one that fails and isn't here is a failure.
 */
export const open: ReadonlyMap<number, string> = new Map([
  [2561099444, "lost: site-1.example: privacy was never applied, and isn't waiting. Not followed to its cause yet."],
  [
    957556781,
    'lost: site-2.example: the delete is nowhere, and the website is there. It was deleted, then adopted in answer to the create, which is the later word; the judge does not know that yet.',
  ],
  [1582794303, "lost: site-1.example: privacy was never applied, and isn't waiting. Not followed to its cause yet."],
  [
    2077476953,
    'lost: site-3.example: the delete is nowhere, and the website is there. It was deleted, then adopted in answer to the create, which is the later word; the judge does not know that yet.',
  ],
  [826731891, "lost: site-5.example: privacy was never applied, and isn't waiting. Not followed to its cause yet."],
  [1258234059, "lost: site-2.example: privacy was never applied, and isn't waiting. Not followed to its cause yet."],
  [3168232307, "lost: site-7.example: privacy was never applied, and isn't waiting. Not followed to its cause yet."],
  [
    2338984525,
    "lost: site-0.example: exclude_bots was never applied, and isn't waiting. Not followed to its cause yet.",
  ],
  [911091348, "lost: site-3.example: privacy was never applied, and isn't waiting. Not followed to its cause yet."],
])
