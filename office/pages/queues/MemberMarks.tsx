import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { useTexts } from '../../i18n.ts'
import { Warnings } from '../../ui/Warnings.tsx'
import { otherName } from './otherName.ts'
import { NewestNote } from './NewestNote.tsx'

/**
 * What a clerk must not miss about a member and may still approve: who else logs in from the same place, and what was noted
 * last. It stands below the dangers, and again in the dialog.
 */
export function MemberMarks({ facts }: { facts: MemberFacts | undefined }) {
  const t = useTexts()
  if (facts === undefined) return null
  const accounts = facts.sameDevice.map(otherName).join(', ')
  return (
    <>
      <Warnings isMild texts={accounts === '' ? [] : [t('danger.sameDevice', { accounts })]} />
      <NewestNote facts={facts} />
    </>
  )
}
