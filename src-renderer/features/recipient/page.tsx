import { lazy, Suspense, useEffect, useState, type ComponentProps } from 'react';
import { CodeScreen } from './code.tsx';
import { EndedScreen, LandingScreen } from './landing.tsx';
import { ListScreen } from './list.tsx';
import { LANGUAGES, LanguageProvider, preferredLanguage, textsOf, useTexts, type Language } from './texts.ts';
import { ViewerScreen } from './viewer.tsx';
import { useVisit, type Visit } from './visit.ts';
import { WaitingScreen } from './waiting.tsx';

/** Loaded with the first study that is opened: most shares have none. */
const FramesScreen = lazy(() => import('./frames-screen.tsx'));

/** The page of somebody who received a link: from the code to the documents. */
export function RecipientPage({ token }: { token: string }) {
  const [language, setLanguage] = useState<Language>(preferredLanguage);
  const [isText, setText] = useState(false);
  const visit = useVisit(token);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = textsOf(language).title;
  }, [language]);
  const { screen } = visit;
  const shown = screen.kind === 'open' ? screen.me.documents.find(({ id }) => id === screen.documentId) : undefined;
  return (
    <LanguageProvider value={language}>
      <div className="rp">
        {screen.kind === 'open' && shown ? (
          <Opened
            {...{ me: screen.me, document: shown, areImages: screen.areImages, isText }}
            onText={setText}
            onBack={() => visit.show(null)}
            onCheck={visit.check}
          />
        ) : (
          <>
            <LanguageChoice language={language} onChange={setLanguage} />
            <CurrentScreen token={token} visit={visit} />
          </>
        )}
      </div>
    </LanguageProvider>
  );
}

/** A document, or the images of its study. */
function Opened({ areImages, ...viewer }: ComponentProps<typeof ViewerScreen> & { areImages: boolean }) {
  if (!areImages) return <ViewerScreen {...viewer} />;
  const { document, onBack, onCheck } = viewer;
  return (
    <Suspense fallback={null}>
      <FramesScreen document={document} onBack={onBack} onCheck={onCheck} />
    </Suspense>
  );
}

function CurrentScreen({ token, visit }: { token: string; visit: Visit }) {
  const { screen, request, enter, leaveQueue, show, finish } = visit;
  switch (screen.kind) {
    case 'starting':
      return null;
    case 'landing':
      return <LandingScreen token={token} isPlaceOver={screen.isPlaceOver} onRequest={request} />;
    case 'code':
      return <CodeScreen token={token} requestedAt={screen.requestedAt} onAgain={request} onSeat={enter} />;
    case 'waiting':
      return <WaitingScreen seat={screen.seat} onSeat={enter} onLeft={leaveQueue} />;
    case 'open':
      return <ListScreen me={screen.me} onOpen={show} onFinish={finish} />;
    case 'ended':
      return <EndedScreen isOwnWish={screen.isOwnWish} onRequest={request} />;
  }
}

function LanguageChoice({ language, onChange }: { language: Language; onChange: (language: Language) => void }) {
  const { t } = useTexts();
  return (
    <header className="rp-top">
      <span>{t.title}</span>
      <div className="rp-languages" role="group" aria-label={t.language}>
        {LANGUAGES.map(({ code, name }) => (
          <button key={code} type="button" lang={code} aria-pressed={code === language} onClick={() => onChange(code)}>
            {name}
          </button>
        ))}
      </div>
    </header>
  );
}
