import { Navigate } from 'react-router';
import { firstScreen, useUser } from '../session/useSession';

/** Sends who is signed in to the screen that their account begins with. */
export function Start() {
  const user = useUser();
  return user === null ? null : <Navigate to={firstScreen(user)} replace />;
}
