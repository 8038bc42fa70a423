import type { Enrolment } from '../../contract/office/staff.ts'
import { useTexts } from '../i18n.ts'
import { LinkNote } from './LinkNote.tsx'
import { When } from './When.tsx'

/** For whom a link sets up an account. */
export type Enrolled = Enrolment & { name: string }
type EnrolmentNoteProps = { enrolment: Enrolled; onClose: () => void }

/** The link that sets up an account, once. */
export function EnrolmentNote({ enrolment, onClose }: EnrolmentNoteProps) {
  const t = useTexts()
  const link = `${location.origin}/office/#/enrol/${encodeURIComponent(enrolment.code)}`
  return (
    <LinkNote
      text={t('staff.linkFor', { name: enrolment.name })}
      link={link}
      note={
        <>
          {t('staff.linkUntil')} <When at={enrolment.expiresAt} />
        </>
      }
      onClose={onClose}
    />
  )
}

/** The code in the answer of a change of the staff, or in the result of one that a second person confirmed. */
export function enrolmentIn(answer: unknown): Enrolled | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { staff, enrolment, result } = answer as {
    staff?: { name: string } | null
    enrolment?: Enrolment | null
    result?: unknown
  }
  if (result !== undefined) return enrolmentIn(result)
  return enrolment ? { ...enrolment, name: staff?.name ?? '' } : null
}
