import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Code } from "../ui/Copy.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { MailView } from "./MailView.tsx"
import { mailboxTexts } from "./Texts.ts"

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text)

/** A captured email. */
export const MessagePage = ({ messageId = "" }: { readonly messageId?: string }) => {
  const t = useTexts(mailboxTexts)
  const realmId = useRealmId()
  const { data: mail, error, refetch } = useRead(["messages", messageId], (sdk) => sdk.testMessages.get(messageId))
  if (mail === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader title={mail.subject} above={[{ text: t.mailbox, to: pathIn(realmId, "mailbox") }]} />
      <Section title={mail.to}>
        <Facts
          facts={[
            [t.from, mail.from_name === null ? mail.from : `${mail.from_name} <${mail.from}>`],
            [t.to, mail.to],
            [t.time, <Time key="time" at={mail.created_at} />],
            [
              t.links,
              mail.links.length === 0 ? undefined : (
                <ul key="links" className="plain-list">
                  {mail.links.map((link) => (
                    <li key={link}>
                      {isWebAddress(link) ? (
                        <a href={link} target="_blank" rel="noreferrer">
                          {link}
                        </a>
                      ) : (
                        link
                      )}
                    </li>
                  ))}
                </ul>
              )
            ],
            [
              t.codes,
              mail.codes.length === 0 ? undefined : <Code key="codes" text={mail.codes.join(" ")} label={t.codes} />
            ]
          ]}
        />
      </Section>
      <MailView mail={mail} />
    </>
  )
}
