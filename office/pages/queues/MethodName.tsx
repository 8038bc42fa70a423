import { useMethodName } from './useMethodName.ts'

/** A method of deposits or a kind of account, in words. */
export function MethodName({ method }: { method: string }) {
  return <>{useMethodName()(method)}</>
}
