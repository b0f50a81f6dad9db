package main

import "context"

func (s *service) importComments(context.Context, *app, string, string, bool) error { return nil }
