"""Whoever can hold a seat."""

from karty.agents.agent import Agent, AgentError, CompiledPlayer, load_agent

__all__ = ["Agent", "AgentError", "CompiledPlayer", "load_agent"]
