import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { idNumberRule, nameRule } from '../../../contract/rules.ts'
import { walletRoutes } from '../../../contract/wallet.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { firstCountry } from '../../countries.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { toast } from '../../ui/index.ts'
import { useFields } from '../login/useFields.ts'
import { loadDraft, saveDraft } from './draft.ts'
import type { KeptUpload } from './draft.ts'
import { usePhoto } from './usePhoto.ts'
import type { PhotoState } from './usePhoto.ts'

/** As it is sent: no blanks around, and none inside a number that was typed in groups. */
const sentName = (text: string): string => text.trim()
const sentNumber = (text: string): string => text.replace(/\s/g, '').toUpperCase()

/** The form of the verification: its texts and photos, kept as a draft, and sent. */
export function useVerifyForm(memberId: string, onSettled: () => void) {
  const { t } = useTranslation()
  const format = useFormat()
  const [draft] = useState(() => loadDraft(memberId, Date.now()))
  const [problem, setProblem] = useState<string>()
  const worded = (code: string | undefined): string | undefined => code && codeText(t, format, code)
  const fields = useFields(
    {
      nationality: draft?.nationality ?? firstCountry,
      name: draft?.name ?? '',
      idNumber: draft?.idNumber ?? '',
    },
    {
      nationality: () => undefined,
      name: ({ name, nationality }) => worded(nameRule(sentName(name), nationality)),
      idNumber: ({ idNumber, nationality }) => {
        const code = idNumberRule(sentNumber(idNumber), nationality)
        if (code !== 'ID_FORMAT') return worded(code)
        // The error takes the hint's place, so it says what the hint said.
        const hint = t(nationality === 'CN' ? 'verify.idHintChina' : 'verify.idHint')
        return t('common.sentences', { first: codeText(t, format, code), second: hint })
      },
    },
  )
  const front = usePhoto('id_front', draft?.front)
  const back = usePhoto('id_back', draft?.back)
  const { name, idNumber, nationality } = fields.texts
  const { photo: frontPhoto } = front
  const { photo: backPhoto } = back
  useEffect(() => {
    const [kept, keptBack] = [uploadOf(frontPhoto), uploadOf(backPhoto)]
    const photos = { ...(kept && { front: kept }), ...(keptBack && { back: keptBack }) }
    saveDraft({ memberId, name, idNumber, nationality, ...photos })
  }, [memberId, name, idNumber, nationality, frontPhoto, backPhoto])

  const [submit, busy] = useAction(async (form: HTMLFormElement) => {
    setProblem(undefined)
    const whole = fields.check(form)
    const frontKept = uploadOf(frontPhoto)
    const backKept = uploadOf(backPhoto)
    for (const side of [front, back]) {
      if (side.photo.state === 'empty') side.refuse('PHOTO_REQUIRED')
    }
    if (!whole || frontKept === undefined || backKept === undefined) return
    const result = await call(walletRoutes.submitVerification, {
      body: {
        name: sentName(name),
        idNumber: sentNumber(idNumber),
        nationality,
        frontUploadId: frontKept.uploadId,
        backUploadId: backKept.uploadId,
      },
    })
    if (result.ok) {
      // The photos are used up; the texts serve again if the review does not pass.
      saveDraft({ memberId, name, idNumber, nationality })
      toast({ kind: 'success', text: t('verify.submitted') })
    } else {
      const { failure } = result
      const faults: Record<string, string> = failure.kind === 'refused' ? failure.fields : {}
      if (faults['frontUploadId'] !== undefined) front.refuse(faults['frontUploadId'])
      if (faults['backUploadId'] !== undefined) back.refuse(faults['backUploadId'])
      const named = Object.entries(faults).filter(([field]) => field === 'name' || field === 'idNumber')
      fields.refuse(
        form,
        Object.fromEntries(named.map(([field, code]) => [field, codeText(t, format, code)])),
      )
      if (Object.keys(faults).length === 0) setProblem(failureText(t, format, failure))
    }
    // Also after a lost answer: what the venue has by now says whether it arrived.
    onSettled()
  })
  return { fields, front, back, submit, busy, problem }
}

const uploadOf = (photo: PhotoState): KeptUpload | undefined =>
  photo.state === 'sent' ? { uploadId: photo.uploadId, at: photo.at } : undefined
