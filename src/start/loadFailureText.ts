import type { TFunction } from 'i18next'
import type { LoadFailure } from './reportFailure.ts'

/** Why a part of the app could not be loaded, in one or two sentences. */
export const loadFailureText = (t: TFunction, failure: LoadFailure): string =>
  failure === 'other' && !navigator.onLine ? t('error.OFFLINE') : t(`page.${failure}.text`)
