import type { Enrolment } from '../../../contract/office/staff.ts'
import { useTexts } from '../../i18n.ts'
import { LinkNote } from '../../ui/LinkNote.tsx'
import { When } from '../../ui/When.tsx'

type EnrolmentNoteProps = { enrolment: Enrolment & { name: string }; onClose: () => void }

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
