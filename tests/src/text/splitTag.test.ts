import { describe, expect, it } from 'vitest'
import { splitTag } from '../../../src/text/splitTag.ts'

describe('splitTag', () => {
  it.each([
    ['I read the <notice>risk notice</notice>. Go on.', ['I read the ', 'risk notice', '. Go on.']],
    ['<notice>リスク</notice>を読みました。', ['', 'リスク', 'を読みました。']],
    ['no tag at all', ['no tag at all', '', '']],
  ])('splits "%s"', (text, parts) => {
    expect(splitTag(text, 'notice')).toEqual(parts)
  })
})
