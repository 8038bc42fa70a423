import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toHalfWidth, withoutInvisible } from '../../../contract/halfWidth.ts'
import { idNumberRule, nameRule, plainName } from '../../../contract/rules.ts'
import { verificationRoutes } from '../../../contract/verification.ts'
import { codeText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { defaultCountry } from '../../text/countries.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { toast } from '../../ui/index.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { loadVerifyDraft, saveVerifyDraft, type VerifyDraft } from './verifyDraft.ts'
import { usePhoto, type PhotoState, type StoredUpload } from '../../features/photos/usePhoto.ts'

/** The number as it is sent: without the spaces of one typed in groups. */
const normalizeIdNumber = (text: string): string =>
  withoutInvisible(toHalfWidth(text)).replace(/\s/g, '').toUpperCase()

/** The state of the verification form: its texts and photos, stored as a draft, and its submit function. */
export function useVerifyForm(memberId: string, onFinished: () => void) {
  const call = useCall()
  const { t } = useTranslation()
  const [draft] = useState(() => loadVerifyDraft(memberId, Date.now()))
  const fields = useVerifyFields(draft)
  const front = usePhoto('id_front', draft?.front)
  const back = usePhoto('id_back', draft?.back)
  const { name, idNumber, nationality } = fields.texts
  const { photo: frontPhoto } = front
  const { photo: backPhoto } = back
  useEffect(() => {
    const [frontUpload, backUpload] = [uploadOf(frontPhoto), uploadOf(backPhoto)]
    const photos = { ...(frontUpload && { front: frontUpload }), ...(backUpload && { back: backUpload }) }
    saveVerifyDraft({ memberId, name, idNumber, nationality, ...photos })
  }, [memberId, name, idNumber, nationality, frontPhoto, backPhoto])

  const [submit, busy, problem] = useSubmit(async (form: HTMLFormElement) => {
    const areTextsValid = fields.validate(form)
    const frontUpload = uploadOf(frontPhoto)
    const backUpload = uploadOf(backPhoto)
    for (const side of [front, back]) {
      if (side.photo.state === 'empty') side.reject('PHOTO_REQUIRED')
    }
    if (!areTextsValid || frontUpload === undefined || backUpload === undefined) return undefined
    const result = await call(verificationRoutes.submitVerification, {
      body: {
        name: plainName(name, nationality),
        idNumber: normalizeIdNumber(idNumber),
        nationality,
        frontUploadId: frontUpload.uploadId,
        backUploadId: backUpload.uploadId,
      },
    })
    // Also after a lost answer: the venue's state shows whether the request arrived.
    onFinished()
    if (result.ok) {
      // The uploads are consumed; the texts can be reused if the review rejects the submission.
      saveVerifyDraft({ memberId, name, idNumber, nationality })
      toast({ kind: 'success', text: t('verify.submitted') })
      return undefined
    }
    const { failure } = result
    const fieldCodes: Record<string, string> = failure.kind === 'rejected' ? failure.fields : {}
    if (fieldCodes['frontUploadId'] !== undefined) front.reject(fieldCodes['frontUploadId'])
    if (fieldCodes['backUploadId'] !== undefined) back.reject(fieldCodes['backUploadId'])
    return fields.showFailure(form, failure)
  })
  return { fields, front, back, submit, busy, problem }
}

/** The texts of the form, with the venue's rules. */
function useVerifyFields(draft: VerifyDraft | undefined) {
  const { t } = useTranslation()
  const format = useFormat()
  const chineseNames = useVenueConfig()?.chineseNames
  const errorText = (code: string | undefined): string | undefined => code && codeText(t, format, code)
  return useFields(
    {
      nationality: draft?.nationality ?? defaultCountry,
      name: draft?.name ?? '',
      idNumber: draft?.idNumber ?? '',
    },
    {
      nationality: () => undefined,
      name: ({ name, nationality }) =>
        errorText(nameRule(plainName(name, nationality), nationality, chineseNames)),
      idNumber: ({ idNumber, nationality }) => {
        const code = idNumberRule(normalizeIdNumber(idNumber), nationality)
        if (code !== 'ID_FORMAT') return errorText(code)
        // The error replaces the hint, so it includes the hint's text.
        const hint = t(nationality === 'CN' ? 'verify.idHintChina' : 'verify.idHint')
        return t('common.sentences', { first: codeText(t, format, code), second: hint })
      },
    },
  )
}

const uploadOf = (photo: PhotoState): StoredUpload | undefined =>
  photo.state === 'sent' ? { uploadId: photo.uploadId, at: photo.at } : undefined
