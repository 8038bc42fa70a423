import { useTexts } from '../i18n.ts'
import { actNameOf } from './actNames.ts'

/** What a call does, in words. */
export function ActName({ act }: { act: string }) {
  return <>{actNameOf(useTexts(), act)}</>
}
