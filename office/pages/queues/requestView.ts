import type { ReactNode } from 'react'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import type { Danger } from '../../actions/action.ts'
import type { Failure } from '../../../streams/index.ts'

/**
 * Everything needed to decide a request: the request shows it, and so does the proposal about
 * it, so that the second person gets the same view as the first.
 */
export type RequestView<T> = {
  data: T | undefined
  failure: Failure | undefined
  /** Of its member, once it is read. */
  person: Pick<MemberFacts, 'account' | 'writesIn'> | undefined
  /** The facts, shown below the dangers. */
  body: ReactNode
  /** Once more in the dialog. */
  summary: ReactNode
  danger: Danger | undefined
  /** Why it cannot be accepted or rejected yet. */
  closed: { accept: string | undefined; reject: string | undefined }
}
