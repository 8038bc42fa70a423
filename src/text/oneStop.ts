import type { PostProcessorModule } from 'i18next'
import { withOneStop } from '../../contract/oneStop.ts'

/** For i18next, which runs it for every text that names it in `postProcess`. */
export const oneStop: PostProcessorModule = {
  type: 'postProcessor',
  name: 'oneStop',
  process: (text, _key, values) => withOneStop(text, Object.values(values)),
}
