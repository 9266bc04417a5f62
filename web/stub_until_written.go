package web

import "net/http"

func signInAddress(r *request) string { return "/signin" }

type hf = func(w http.ResponseWriter, r *request) error

func (s *Server) signUpPage(w http.ResponseWriter, r *request) error  { return nil }
func (s *Server) signUp(w http.ResponseWriter, r *request) error      { return nil }
func (s *Server) signInPage(w http.ResponseWriter, r *request) error  { return nil }
func (s *Server) signIn(w http.ResponseWriter, r *request) error      { return nil }
func (s *Server) linkPage(w http.ResponseWriter, r *request) error    { return nil }
func (s *Server) useLink(w http.ResponseWriter, r *request) error     { return nil }
func (s *Server) signOut(w http.ResponseWriter, r *request) error     { return nil }
func (s *Server) dashboard(w http.ResponseWriter, r *request) error   { return nil }
func (s *Server) createQuiz(w http.ResponseWriter, r *request) error  { return nil }
func (s *Server) editorPage(w http.ResponseWriter, r *request) error  { return nil }
func (s *Server) deleteQuiz(w http.ResponseWriter, r *request) error  { return nil }
func (s *Server) openSession(w http.ResponseWriter, r *request) error { return nil }
func (s *Server) readQuiz(w http.ResponseWriter, r *request) error    { return nil }
func (s *Server) saveQuiz(w http.ResponseWriter, r *request) error    { return nil }
